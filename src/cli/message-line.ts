import type { Envelope, FinalResult } from '../index.js';

/** What decides a message, in one line; undefined for messages that only `--verbose` shows. */
export function messageLine(event: Envelope, verbose: boolean): string | undefined {
  const what = describe(event, verbose);
  if (what === undefined) return undefined;
  const to = typeof event.to === 'string' ? event.to : event.to.join(',');
  return `${event.from} → ${to} ${event.type}${what === '' ? '' : `: ${what}`}`;
}

function describe(event: Envelope, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'TaskSpec': return event.payload.intent;
    case 'DispatchManifest': {
      const { round, subtaskIds, keptSubtaskIds, experience = [] } = event.payload;
      const ids = [...new Set(experience.flatMap(({ megramIds }) => megramIds))];
      return `round ${round}, ${plural(subtaskIds.length, 'subtask')}${keptSubtaskIds.length > 0 ? `, ${keptSubtaskIds.length} of them kept` : ''}${ids.length > 0 ? `, by memory: ${ids.join(', ')}` : ''}`;
    }
    case 'SubTask': return event.from === 'dispatcher' ? `${event.payload.intent} [${event.payload.tools.join(', ') || 'no tools'}]` : undefined;
    case 'ExecutionResult': return `${event.payload.status}${event.payload.infeasible ? ', infeasible' : ''}, attempt ${event.payload.attempt}, ${plural(event.payload.toolCalls.length, 'tool call')}`;
    case 'CorrectionSignal': return `${event.payload.failedCriterion} (${event.payload.whatWasWrong})`;
    case 'SubTaskOutcome': {
      const { status, criteriaVerdicts, failureReason, intent } = event.payload;
      const passed = criteriaVerdicts.filter(({ verdict }) => verdict === 'pass').length;
      return `${status}, ${passed} of ${criteriaVerdicts.length} criteria passed${status === 'failed' ? `: ${failureReason ?? 'failed'}` : ''} (${intent ?? 'a subtask'})`;
    }
    case 'ReplanRequest': return `${event.payload.stage}, ${event.payload.failedSubtasks.length} of ${event.payload.outcomes.length} failed; ${event.payload.gapSummary}`;
    case 'OutcomeSummary': return event.payload.summary;
    case 'PlanRejected': return event.payload.message;
    case 'PlanDirective': {
      const { prevDirective, directive, loss, gradL, blockedTools, blockedTargets } = event.payload;
      const blocked = [...blockedTools, ...blockedTargets];
      return `${prevDirective}→${directive} ${numbers(loss, gradL)}${blocked.length > 0 ? `, blocked: ${blocked.join(', ')}` : ''}`;
    }
    case 'FinalResult': return `${event.payload.prevDirective}→${event.payload.directive}${event.payload.reason ? ` (${event.payload.reason})` : ''} ${numbers(event.payload.loss, event.payload.gradL)}`;
    case 'LawEvent': return `law ${event.payload.law}: ${event.payload.what}: ${event.payload.decision}`;
    case 'ClarificationRequest': return event.payload.questions.join(' / ');
    case 'Stop': return `${event.payload.reason}: ${event.payload.message}`;
    case 'RoleFailure': return `${event.payload.role} at ${event.payload.stage} (${event.payload.code}): ${event.payload.message}`;
    case 'ApprovalRequest': return `${event.payload.tool} on ${event.payload.target}`;
    case 'ApprovalReply': return event.payload.decision;
    case 'NextMoves': return event.payload.moves.join(' / ');
    case 'Progress': return verbose ? event.payload.text : undefined;
    case 'Delta': return undefined;
    default: return verbose ? '' : undefined;
  }
}

/** The controller's numbers; the arrow says whether the distance shrinks (↓), grows (↑) or stands. */
export function numbers({ D, P, Omega, L }: FinalResult['loss'], gradL: number): string {
  const shown = gradL.toFixed(2).replace('-0.00', '0.00');
  const arrow = shown === '0.00' ? '→' : gradL < 0 ? '↓' : '↑';
  return `D ${D.toFixed(2)} P ${P.toFixed(2)} Ω ${Omega.toFixed(2)} L ${L.toFixed(2)} ∇L ${shown}${arrow}`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
