/** What `artoo --help` prints. */
export const HELP = `artoo carries one task, said in words, to a result that was verified.

  artoo run "<task>"       run one task; the answer goes to stdout, everything else to stderr
  artoo                    ask task after task; "in German", "again" and the like refer to the one before
  artoo resume [TASK]      go on with an interrupted task (without an id: the newest)
  artoo pending            list tasks that have no result yet, and the questions they wait for
  artoo answer ID yes|no|task   answer such a question and go on with its task
  artoo undo [TASK]        put back what a task's file tools changed; see artoo undo --help
  artoo memory …           what earlier tasks left; see artoo memory --help

Options
  --workspace DIR          the folder to work in; file tools are confined to it (default: here)
  --ask                    ask before anything that can't be undone (default; without a terminal: refused)
  --yes                    allow it without asking
  --later                  let the task rest at such a step until artoo answer
  --sandbox MODE           none (default), auto, required: run shell commands under bubblewrap
  --offline                use the built-in rules instead of a model: counts, finds, lists, compares, shows files
  --model NAME             the model for all roles; overrides BRAIN_MODEL and TOOL_MODEL
  --base-url URL           its endpoint; overrides BRAIN_BASE_URL and TOOL_BASE_URL
  --json                   print the whole FinalResult as JSON
  --ledger DIR             where runs are recorded (default: WORKSPACE/.artoo/ledger)
  --budget-calls N         at most N model calls
  --budget-tokens N        at most N tokens
  --timeout TIME           at most this long: 90s, 5m, 1h
  --verbose                also show progress and memory traffic
  --help, --version

Environment
  BRAIN_MODEL (default deepseek-reasoner), BRAIN_BASE_URL, BRAIN_API_KEY   perceives, plans, judges the whole
  TOOL_MODEL, TOOL_BASE_URL, TOOL_API_KEY                                  executes, judges the parts (default: as the brain)
  OPENAI_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY                            used where those are missing
  NO_COLOR                                                                 no colours

Exit codes
  0 done (what is unmet, if anything, is said)   1 abandoned   2 wrong usage
  3 configuration, ledger, or the task is parked   130 stopped by Ctrl-C
`;
