// The display of all pages: the connected reader, the card that was read, and errors as text.
"use strict";

const show = (id, text) => { document.getElementById(id).textContent = text; };

// `idle`, `reading`, `done` or `failed`, for styles and for tests.
const enter = state => { document.body.dataset.state = state; };

function note(text) {
  document.getElementById("events").append(Object.assign(document.createElement("li"), {textContent: text}));
}

function showCard({idm, balance, trips}) {
  show("idm", idm);
  show("balance", balance);
  document.getElementById("trips").replaceChildren(...trips.map(trip => {
    const row = document.createElement("tr");
    for (const text of [trip.date, trip.balance]) row.insertCell().textContent = text;
    return row;
  }));
}

async function read(Reader) {
  enter("reading");
  show("message", "Reading…");
  showCard({idm: "", balance: "", trips: []});
  let reader;
  try {
    reader = new Reader(await navigator.usb.requestDevice({filters: Reader.filters}));
    await reader.open();
    showCard(await readHistory(reader));
    show("message", "The card was read.");
    enter("done");
  } catch (error) {
    show("message", !reader && error.name === "NotFoundError" ? "No reader was chosen." : error.message);
    enter("failed");
  } finally {
    await reader?.close();
  }
}

function start(Reader) {
  const button = document.getElementById("read");
  if (!navigator.usb) {
    show("message", "This browser has no WebUSB.");
    enter("failed");
    return;
  }
  button.disabled = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await read(Reader);
    button.disabled = false;
  });
  navigator.usb.addEventListener("connect", ({device}) => note(`${device.productName} was plugged in.`));
  navigator.usb.addEventListener("disconnect", ({device}) => note(`${device.productName} was unplugged.`));
  enter("idle");
}
