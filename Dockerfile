# tapsim on Debian, for systems other than Linux. From the top of the checkout:
#
#   docker build -t tapsim .
#   docker run --rm -v "$PWD:/work" tapsim run --card suica
#
# On Apple silicon, add --platform linux/amd64 to both commands.
FROM swift:6.2-bookworm AS build
COPY . /tapsim
# Both stages have the same C library, so tapsim does not have to be linked to an older one.
RUN /tapsim/Tools/package --deb --own-libc --yes

FROM debian:bookworm
COPY --from=build /tapsim/.build/package/*.deb /tmp/
# libpcsclite1 and python3-pyscard are for clients; tapsim needs neither.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends /tmp/*.deb libpcsclite1 python3-pyscard \
    && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["tapsim"]
