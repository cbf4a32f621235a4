// A role of one's own: this Perceiver needs no model, because the host's requests come from a form.
import { createArtoo } from 'artoo';
import { createOfflineModel } from 'artoo/offline';
import { workspaceTools } from 'artoo/tools';

/** Hears what R1 hears, says what R1 says; its port lets nothing else through. */
class FormPerceiver {
  attach(/** @type {import('artoo/bus').RolePort} */ port) {
    port.subscribe('TaskRequest', ({ id, taskId, payload }) => {
      const [verb, kind, folder] = payload.input.split('|');
      port.publish({
        type: 'TaskSpec', taskId, causeId: id,
        payload: {
          taskId, slug: `form_${verb}`, intent: `${verb} the ${kind} files in ${folder}`, rawInput: payload.input,
          constraints: { scope: null, deadline: null }, callerCriteria: payload.criteria, tools: payload.tools, budget: payload.budget,
        },
      });
      // What the table of roles doesn't allow is refused at the port.
      try {
        port.publish({ type: 'FinalResult', taskId, payload: /** @type {any} */ ({}) });
      } catch (error) {
        console.log(/** @type {import('artoo').ArtooError} */ (error).code);
      }
    });
  }
}

const model = createOfflineModel();
const artoo = createArtoo({
  models: { brain: model, tool: model }, tools: workspaceTools({ root: import.meta.dirname }),
  roles: { perceiver: FormPerceiver },
});
const { directive, output, usage } = await artoo.run('count|.mjs|the workspace').result;
console.log(directive, '-', output);
console.log(`calls by R1: ${usage.perRole.R1?.calls ?? 0}`);
await artoo.close();
