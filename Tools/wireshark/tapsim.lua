-- What Wireshark does not show of a capture of TapSim: blocks, service codes and status flags of FeliCa, and the
-- commands of type 2 tags.
--
--     wireshark -X lua_script:Tools/wireshark/tapsim.lua trace.pcapng
--
-- or put this file into the folder of personal Lua plugins (Help > About > Folders). It adds a tree "TapSim" to each frame
-- and fills the columns Protocol and Info; nothing of Wireshark's own is changed.
--
-- Sources: FeliCa Card User's Manual, excerpted edition, commands; NTAG213/215/216 product data sheet, commands.

local tapsim = Proto("tapsim", "TapSim")

local opcodes = {
    [0x1B] = "PWD_AUTH", [0x30] = "READ", [0x39] = "READ_CNT", [0x3A] = "FAST_READ", [0x3C] = "READ_SIG",
    [0x60] = "GET_VERSION", [0xA0] = "COMP_WRITE", [0xA2] = "WRITE",
}

local fields = {
    service = ProtoField.uint16("tapsim.felica.service", "Service code", base.HEX),
    block_number = ProtoField.uint16("tapsim.felica.block_number", "Block number"),
    block = ProtoField.bytes("tapsim.felica.block", "Block", base.SPACE),
    status = ProtoField.uint16("tapsim.felica.status", "Status flags", base.HEX),
    command = ProtoField.uint8("tapsim.ntag.command", "Command", base.HEX, opcodes),
    answers = ProtoField.uint8("tapsim.ntag.answers", "Answers", base.HEX, opcodes),
    page = ProtoField.uint8("tapsim.ntag.page", "Page", base.HEX),
    last_page = ProtoField.uint8("tapsim.ntag.last_page", "Last page", base.HEX),
    data = ProtoField.bytes("tapsim.ntag.data", "Data", base.SPACE),
    password = ProtoField.bytes("tapsim.ntag.password", "Password", base.SPACE),
    pack = ProtoField.bytes("tapsim.ntag.pack", "PACK", base.SPACE),
    version = ProtoField.bytes("tapsim.ntag.version", "Version", base.SPACE),
    counter = ProtoField.uint24("tapsim.ntag.counter", "Counter"),
    signature = ProtoField.bytes("tapsim.ntag.signature", "Signature", base.SPACE),
    acknowledgement = ProtoField.uint8("tapsim.ntag.acknowledgement", "Acknowledgement", base.HEX),
}

tapsim.fields = fields

local protocols = Field.new("frame.protocols")
local interface = Field.new("frame.interface_id")

-- The code of the command that comes before a frame, by the number of the frame; and the last one of each interface.
local commands, last = {}, {}

function tapsim.init()
    commands, last = {}, {}
end

-- The dissector, direction, text and payload of an exported PDU.
local function exported(tvb)
    local pdu, at = {}, 0
    while at + 4 <= tvb:len() do
        local tag, length = tvb(at, 2):uint(), tvb(at + 2, 2):uint()
        at = at + 4
        if tag == 0 then
            pdu.payload = at < tvb:len() and tvb(at) or nil
            return pdu
        end
        if at + length > tvb:len() then return nil end
        if tag == 12 then pdu.dissector = tvb(at, length):stringz() end
        if tag == 33 then pdu.text = tvb(at, length):stringz() end
        if tag == 35 then pdu.is_answer = tvb(at, length):uint() == 1 end
        at = at + length
    end
    return nil
end

-- Walks bytes from left to right; `take` is nil where they end.
local function walker(range, at)
    local walk = { at = at }
    function walk.left() return range:len() - walk.at end
    function walk.take(count)
        if walk.left() < count then return nil end
        local part = range(walk.at, count)
        walk.at = walk.at + count
        return part
    end
    return walk
end

local function services(walk, tree, words)
    local count = walk.take(1)
    for _ = 1, count and count:uint() or 0 do
        local code = walk.take(2)
        if not code then return end
        tree:add_le(fields.service, code)
        table.insert(words, string.format("%04X", code:le_uint()))
    end
end

local function block_list(walk, tree, words)
    local count = walk.take(1)
    local numbers = {}
    for _ = 1, count and count:uint() or 0 do
        -- The highest bit of the first byte says that the number has one byte instead of two.
        local first = walk.take(1)
        local number = first and walk.take(first:uint() >= 0x80 and 1 or 2)
        if not number then break end
        tree:add_le(fields.block_number, number)
        table.insert(numbers, tostring(number:le_uint()))
    end
    if #numbers > 0 then table.insert(words, "blocks " .. table.concat(numbers, " ")) end
end

local function blocks(walk, tree)
    while walk.left() >= 16 do tree:add(fields.block, walk.take(16)) end
end

-- What stands behind code and IDm, by the code of a FeliCa frame; each returns words for the column Info.
local felica = {
    [0x02] = function(walk, tree)
        local words = { "Request Service" }
        services(walk, tree, words)
        return words
    end,
    [0x06] = function(walk, tree)
        local words = { "Read" }
        services(walk, tree, words)
        block_list(walk, tree, words)
        return words
    end,
    [0x07] = function(walk, tree)
        local status = walk.take(2)
        if not status then return { "Read answer" } end
        tree:add(fields.status, status)
        local count = status(0, 1):uint() == 0 and walk.take(1)
        if not count then return { string.format("Read answer, status %04X", status:uint()) } end
        blocks(walk, tree)
        return { string.format("Read answer, %d block%s", count:uint(), count:uint() == 1 and "" or "s") }
    end,
    [0x08] = function(walk, tree)
        local words = { "Write" }
        services(walk, tree, words)
        block_list(walk, tree, words)
        blocks(walk, tree)
        return words
    end,
    [0x09] = function(walk, tree)
        local status = walk.take(2)
        if not status then return { "Write answer" } end
        tree:add(fields.status, status)
        return { string.format("Write answer, status %04X", status:uint()) }
    end,
}

local function add_felica(payload, tree)
    local code = payload(0, 1):uint()
    if not felica[code] or payload:len() < 9 then return nil end
    return table.concat(felica[code](walker(payload, 9), tree), " ")
end

local function add_command(payload, tree, before)
    if before == 0xA0 and payload:len() == 16 then
        tree:add(fields.data, payload(0, 4))
        return "COMP_WRITE data"
    end
    local walk = walker(payload, 0)
    local code = walk.take(1)
    tree:add(fields.command, code)
    local opcode = code:uint()
    local words = { opcodes[opcode] or string.format("command %02X", opcode) }
    local function field(name, count)
        local part = walk.take(count)
        if part then tree:add(fields[name], part) end
        return part
    end
    if opcode == 0x1B then
        field("password", 4)
    elseif opcode == 0x30 or opcode == 0x3A or opcode == 0xA0 or opcode == 0xA2 then
        local page = field("page", 1)
        if page then table.insert(words, string.format("page %02X", page:uint())) end
        local last_page = opcode == 0x3A and field("last_page", 1)
        if last_page then table.insert(words, string.format("to %02X", last_page:uint())) end
        if opcode == 0xA2 then field("data", 4) end
    end
    return table.concat(words, " "), opcode
end

local function add_answer(payload, tree, opcode)
    local length = payload:len()
    if opcode then tree:add(fields.answers, opcode):set_generated() end
    if length == 1 then
        tree:add(fields.acknowledgement, payload)
        local nibble = payload:uint()
        return nibble == 0x0A and "ACK" or string.format("NAK %X", nibble)
    end
    local name = opcodes[opcode] or "unknown command"
    if opcode == 0x1B and length == 2 then
        tree:add(fields.pack, payload)
    elseif opcode == 0x60 and length == 8 then
        tree:add(fields.version, payload)
    elseif opcode == 0x39 and length == 3 then
        tree:add_le(fields.counter, payload)
    elseif opcode == 0x3C and length == 32 then
        tree:add(fields.signature, payload)
    else
        tree:add(fields.data, payload)
    end
    return string.format("%s answer, %d bytes", name, length)
end

function tapsim.dissector(tvb, pinfo, root)
    local stack = protocols()
    if not stack or not tostring(stack.value):find("^exported_pdu") then return end
    local pdu = exported(tvb)
    if not pdu or not pdu.payload then return end
    local is_felica = pdu.dissector == "felica" or (pdu.text or ""):find("^FeliCa ") ~= nil
    local is_ntag = pdu.dissector == "mifare" or (pdu.text or ""):find("^NTAG ") ~= nil
    local layer, words = (pdu.text or ""):match("^(%u[%u%d]+) (.*)")
    if layer == "APDU" or layer == "PN532" or layer == "Port-100" then
        pinfo.cols.protocol = layer
        pinfo.cols.info = words
    end
    if not is_felica and not is_ntag then return end
    local tree = root:add(tapsim, pdu.payload)
    local info
    if is_felica then
        info = add_felica(pdu.payload, tree)
    else
        local id = interface() and interface().value or 0
        if not pinfo.visited then commands[pinfo.number] = last[id] end
        local opcode = commands[pinfo.number]
        if pdu.is_answer then
            info = add_answer(pdu.payload, tree, opcode)
        else
            info, opcode = add_command(pdu.payload, tree, opcode)
            if not pinfo.visited then last[id] = opcode end
        end
    end
    pinfo.cols.protocol = is_felica and "FeliCa" or "NTAG"
    if info then
        tree:append_text(": " .. info)
        pinfo.cols.info = info
    elseif pdu.text then
        pinfo.cols.info = pdu.text:gsub("^%a+ ", "")
    end
end

register_postdissector(tapsim)
