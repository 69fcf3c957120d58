/* ClusterFuzz takes for a target what has the name of libFuzzer's usual function in it. */
__attribute__((used, retain)) const char tapsim_fuzz_target[] = "LLVMFuzzerTestOneInput";
