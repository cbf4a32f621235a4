import type { StopReason } from '../contracts/names.js';
import type { Verdict } from './conclude.js';
import type { Hyperparameters } from './hyperparameters.js';

/** Says in one paragraph what was decided and why, with the numbers it rests on. */
export function explain(verdict: Verdict, h: Hyperparameters): string {
  const { D, P, Omega, L, gradL, gradGoal } = verdict.measurement;
  const ruledOut = verdict.successRuledOut === undefined ? '' : ` ${verdict.successRuledOut}`;
  const advice = verdict.recommendation === undefined ? '' : ` The validator recommended ${verdict.recommendation}.`;
  return `${reasonOf(verdict, h)}${ruledOut}${advice} D ${show(D)}, P ${show(P)}, Ω ${show(Omega)}, L ${show(L)}, ` +
    `∇L ${show(gradL)}, goal gradient ${show(gradGoal)}.`;
}

function reasonOf(verdict: Verdict, h: Hyperparameters): string {
  switch (verdict.directive) {
    case 'accept': return 'Every subtask matched and the merged result was accepted.';
    case 'success': return `Good enough to deliver (D ${show(verdict.measurement.D)} ≤ δ ${show(h.delta)}); what is unmet is listed.`;
    case 'abandon': return endingOf(verdict, verdict.reason ?? 'omega', h);
    case 'break_symmetry': return `${situationOf(verdict, h)}: use a kind of tool that wasn't tried yet.`;
    case 'change_approach': return `${situationOf(verdict, h)}: use another method.`;
    case 'change_path': return `${situationOf(verdict, h)}: same tools, other targets.`;
    case 'refine': return `${situationOf(verdict, h)}: same tools, tighter inputs.`;
  }
}

// Where on the grid the round stands.
function situationOf({ measurement, directive }: Verdict, h: Hyperparameters): string {
  const { trend, P } = measurement;
  const size = `|gradient| ${show(Math.abs(measurement.decisive))}`;
  const movement = trend === 'plateau' ? `The gap isn't moving (${size} < ε ${show(h.epsilon)})` : `The gap is ${trend} (${size} ≥ ε ${show(h.epsilon)})`;
  const wrong = directive === 'break_symmetry' || directive === 'change_approach';
  return wrong
    ? `${movement} and the failures are mostly logical (P ${show(P)} > ρ ${show(h.rho)})`
    : `${movement} and the failures aren't mostly logical (P ${show(P)} ≤ ρ ${show(h.rho)})`;
}

function endingOf({ measurement, replans, worseningRounds }: Verdict, reason: StopReason, h: Hyperparameters): string {
  switch (reason) {
    case 'omega': return `The budget is spent (Ω ${show(measurement.Omega)} ≥ θ ${show(h.theta)}).`;
    case 'replan_budget': return `Round ${replans} failed and ${h.maxReplans} replans are allowed.`;
    case 'law2_divergence':
      return `The gap grew in ${worseningRounds} rounds in a row (${h.law2Rounds} end a run): going on would spend without getting closer.`;
    case 'no_admissible_plan': return 'The planner found no plan that may be carried out.';
    case 'budget_tokens': return 'The token budget of the run is spent.';
    case 'budget_calls': return 'The budget of model calls is spent.';
    case 'budget_money': return 'The money budget of the run is spent.';
    case 'deadline': return 'The deadline of the run has passed.';
    case 'aborted': return 'The run was aborted from outside.';
    case 'role_failure': return 'A step of the run could not be carried out.';
  }
}

// Three decimals are enough to tell the sides of a threshold apart; trailing zeros only cost the reader.
function show(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}
