import type { LLMToolCall } from '../../contracts/llm.js';
import { parseJson } from '../../text/parse-json.js';
import { asRecord, asText } from './wire.js';

interface Slot { id: string; name: string; text: string; input: unknown }

/** Puts tool calls together from the pieces of a stream, or from a whole message. */
export class ToolCallParts {
  private readonly slots: Slot[] = [];
  private readonly byIndex = new Map<number, Slot>();

  get size(): number {
    return this.slots.length;
  }

  /**
   * Adds a piece. Pieces belong together by `index`. Servers that number every call 0 show by another id that a new
   * call begins; servers without numbers by an id or a name.
   */
  add(piece: unknown, position?: number): void {
    const record = asRecord(piece);
    const detail = asRecord(record['function']);
    const id = asText(record['id']);
    const name = asText(detail['name']);
    const slot = this.slotFor(typeof record['index'] === 'number' ? record['index'] : position, id, name);
    if (slot.id === '') slot.id = id;
    if (slot.name === '') slot.name = name;
    const given = detail['arguments'];
    if (typeof given === 'string') slot.text += given;
    else if (given !== undefined && given !== null) slot.input = given;
  }

  /** The calls in order, ids made up where missing and told apart where doubled. Calls without a name are left out. */
  finish(): LLMToolCall[] {
    const used = new Set<string>();
    return this.slots.filter((slot) => slot.name !== '').map((slot, position) => {
      const base = slot.id === '' ? `call_${position + 1}` : slot.id;
      let id = base;
      for (let copy = 2; used.has(id); copy += 1) id = `${base}_${copy}`;
      used.add(id);
      return { id, name: slot.name, input: slot.input ?? readArguments(slot.text) };
    });
  }

  private slotFor(index: number | undefined, id: string, name: string): Slot {
    if (index !== undefined) {
      const known = this.byIndex.get(index);
      const another = known !== undefined && id !== '' && known.id !== '' && id !== known.id && name !== '';
      if (known && !another) return known;
      return this.open(index);
    }
    const last = this.slots[this.slots.length - 1];
    if (!last) return this.open(undefined);
    if (id !== '') return this.slots.find((slot) => slot.id === id) ?? this.open(undefined);
    return name !== '' && last.name !== '' ? this.open(undefined) : last;
  }

  private open(index: number | undefined): Slot {
    const slot: Slot = { id: '', name: '', text: '', input: undefined };
    this.slots.push(slot);
    if (index !== undefined) this.byIndex.set(index, slot);
    return slot;
  }
}

/** Broken arguments stay the text they are: the gate refuses them with the reason, nobody guesses what was meant. */
function readArguments(text: string): unknown {
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}
