// The version of this TapSim, as Package.swift defines it: text that ends with a zero.
const char *tapsim_version(void);
