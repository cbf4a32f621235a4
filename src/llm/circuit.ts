/** The answer to "may I call?": go ahead when `waitMs` is 0. `probe` marks the one call that tries a half-open circuit. */
export interface CircuitPass { readonly waitMs: number; readonly probe: boolean }

/**
 * A circuit breaker: closed, open after `threshold` failures in a row, half open once `cooldownMs` are over, when one
 * call may probe. Times in ms of a monotonic clock, given with each question.
 */
export class Circuit {
  private failures = 0;
  private openUntil: number | undefined;
  private probing = false;

  constructor(private readonly threshold: number, private readonly cooldownMs: number) {}

  enter(now: number): CircuitPass {
    if (this.openUntil === undefined) return { waitMs: 0, probe: false };
    if (now < this.openUntil) return { waitMs: this.openUntil - now, probe: false };
    if (this.probing) return { waitMs: this.cooldownMs, probe: false };
    this.probing = true;
    return { waitMs: 0, probe: true };
  }

  /** Any answer shows that the provider is alive. */
  succeeded(): void {
    this.failures = 0;
    this.openUntil = undefined;
    this.probing = false;
  }

  failed(pass: CircuitPass, now: number): void {
    this.failures += 1;
    if (pass.probe) this.probing = false;
    // A call from before the circuit opened doesn't prolong it.
    else if (this.openUntil !== undefined) return;
    if (pass.probe || this.failures >= this.threshold) this.openUntil = now + this.cooldownMs;
  }

  /** The call ended without saying anything about the provider: aborted, or the request was at fault. */
  left(pass: CircuitPass): void {
    if (pass.probe) this.probing = false;
  }
}
