/** Makes a fresh, isolated instance of what is tried. */
export type ConformanceFactory<T> = () => T | Promise<T>;

/**
 * One rule of a port, tried on an instance of its own. `run` rejects with ARTOO_CONFORMANCE where the rule is broken.
 * `needs` names what not every adapter can do.
 */
export interface ConformanceCase<Factory> {
  readonly name: string;
  readonly needs?: string | readonly string[];
  run(factory: Factory): Promise<void>;
}

/** The rules of a port. Any test runner can register them: `test(rule.name, () => rule.run(factory))`. */
export type ConformanceSuite<Factory> = readonly ConformanceCase<Factory>[];
