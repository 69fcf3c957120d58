/* libyaml, the YAML 1.1 parser; only TapYAML imports it. */
#include <yaml.h>
