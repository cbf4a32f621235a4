/** How the process ends. */
export const EXIT = {
  /** Accepted, or good enough: what is unmet then stands on stderr. */
  done: 0,
  abandoned: 1,
  usage: 2,
  /** Configuration, the ledger, or a task that is parked and can be resumed. */
  setup: 3,
  interrupted: 130,
} as const;
