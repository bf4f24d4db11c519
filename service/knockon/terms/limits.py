"""Every cap on what comes from outside, each with the reason for its number."""

# An expression is one condition a person can read; the longest shipped one is under 400 characters.
EXPRESSION_TEXT_MAX = 4_000
# Python's own parser recurses per level; 60 is far over any readable condition and far under its limit.
EXPRESSION_DEPTH_MAX = 60
# The generated function of a rulebook grows with the nodes of its conditions.
EXPRESSION_NODES_MAX = 500

# One YAML file holds one thing; the largest shipped file is under 1 MiB.
YAML_BYTES_MAX = 4 * 1024 * 1024
YAML_DEPTH_MAX = 40
# 30,000 techniques plus everything around them is the largest catalog planned for.
TREE_FILES_MAX = 200_000

# A metrics dump of a large node (8 GPUs, two engines) is under 3 MiB.
INTAKE_BYTES_MAX = 32 * 1024 * 1024
INTAKE_DEPTH_MAX = 60
# An integer of 64 bits has 19 digits; Python itself stops reading at 4,300, and slows down long before.
INTEGER_DIGITS_MAX = 400
# A command line is bounded by the kernel's MAX_ARG_STRLEN per argument and by sense in all.
COMMAND_ARGUMENTS_MAX = 4_000
COMMAND_TEXT_MAX = 1_000_000
# A manifest is written by people or rendered by a chart; the largest rendered ones with all their CRDs are a few MiB.
MANIFEST_TEXT_MAX = 8 * 1024 * 1024
# The templates of large charts have some 500 `{{ … }}`.
TEMPLATE_ACTIONS_MAX = 5_000
# Values visited in one manifest, aliases and merge keys followed; a rendered chart has some 10,000.
MANIFEST_NODES_MAX = 400_000
# `sh -c` in `bash -c` in `docker run` is three; beyond that nobody can read it.
SCRIPT_DEPTH_MAX = 8
# Functions that call functions are read again at every call; a long launch script has some 1,000 words.
SCRIPT_WORDS_MAX = 50_000
# Each launch is judged on its own; a script of a sweep, or a rendered chart, starts some hundreds.
LAUNCHES_MAX = 2_000
# Variables that double one another grow without end; no real command line is longer than its limit in text.
EXPANSION_TEXT_MAX = 1_000_000
# A waiver is written by a person and read by others; a file of hundreds is read by nobody.
WAIVERS_MAX = 1_000
# Files that a run looks at; a monorepo with every rendered chart has some 10,000 that could hold a launch.
RUN_FILES_MAX = 100_000
READINGS_MAX = 200_000
# A Prometheus server answers 11,000 points at most; a day in steps of 5 s has 17,280.
INSTANTS_MAX = 20_000
# Observations among which pairs are looked for: that takes the square of their number, and nobody writes down more.
OBSERVATIONS_TOGETHER_MAX = 200
FACTS_MAX = 2_000

# A name or a symptom is one line of text; matching takes a look at every part of it.
ASKED_TEXT_MAX = 1_000
# Beyond eight hops every technique of a connected catalog is reached, and nothing is explained any more.
BREAKS_DEPTH_MAX = 8
BREAKS_HOPS_MAX = 2_000
SUGGESTIONS_MAX = 3

# GraphQL: the deepest query of the documentation has depth 8; the IDE's introspection is exempt.
GRAPHQL_DEPTH_MAX = 15
GRAPHQL_ALIASES_MAX = 50
GRAPHQL_TOKENS_MAX = 4_000
# Fields after fragments are laid out; the IDE's introspection has under 300, the longest documented query under 100.
GRAPHQL_FIELDS_MAX = 1_000
# Nodes reached through links in one answer; a page of 100 techniques with all their neighbours stays under it.
GRAPHQL_LINKS_MAX = 20_000
GRAPHQL_BODY_BYTES_MAX = 1024 * 1024
# Each costs a few milliseconds of the one that all requests share.
CHECKS_MAX = 100
PAGE_SIZE_MAX = 100
PAGE_SIZE_DEFAULT = 20
# Whole answers kept by (revision, document, variables); old ones fall out.
ANSWER_CACHE_BYTES_MAX = 64 * 1024 * 1024
DOCUMENT_CACHE_MAX = 1_000
# Old revisions kept in memory for `asOf` reads.
REVISION_CACHE_MAX = 8
# Who published a revision and why: a commit message, not a document.
REVISION_TEXT_MAX = 4_000

# History: a name that people type and see in a table.
TARGET_TEXT_MAX = 200
# A run of 64 replicas with 60 readings each.
RUN_READINGS_MAX = 5_000
# The readings of such a run with their origins; a page of the longest runs is then still read in one go.
RUN_BYTES_MAX = 1024 * 1024
# Names that one that is not known is held against, for the nearest.
TARGETS_SOUGHT_MAX = 1_000
# A quarter of a year: long enough to set a change beside what was before it.
HISTORY_DAYS_DEFAULT = 90
# A century, within what dates can hold.
HISTORY_DAYS_MAX = 36_500
# Removed with one write: more than one run comes in, so that old ones become fewer, and few enough to wait for.
RUNS_REMOVED_MAX = 500
# Writes that may wait for one another, each with its body in memory; the next one is told to come again.
HISTORY_WAITING_MAX = 64
# Lists of deployments that may wait for one another; each takes a second or two.
LISTS_WAITING_MAX = 16
