import { writeSync } from 'node:fs';
import { openMemory, quantize, type Megram } from '../../src/entries/memory.js';

/** Writes without end, and says on stdout up to which number everything is flushed. Arguments: folder, first number. */
async function main([path = '', first = '0']: readonly string[]): Promise<void> {
  const memory = await openMemory({ path });
  for (let number = Number(first); ; number += 1) {
    memory.append(entry(number));
    // Numbers that end in 3 are taken away again, so that removing is interrupted, too.
    if (number % 10 === 9) void memory.remove([`n${number - 6}`]);
    if (number % 17 === 0) {
      await memory.flush();
      writeSync(1, `${number}\n`);
    }
    if (number % 101 === 0) void memory.rebuild();
  }
}

function entry(number: number): Megram {
  const level = number % 23 === 0 ? 'C' : 'M';
  return {
    id: `n${number}`, level, createdAt: 1_700_000_000_000 + number * 60_000, lastRecalledAt: null,
    space: number % 3 === 0 ? 'intent:count_lines' : `tool:t${number % 5}`, entity: `path:/tmp/${number % 7}`,
    content: `Asked: count the lines of file ${number}`, state: 'accept', ...quantize(number % 4 ? 'accept' : 'abandon'), ...(level === 'C' ? { k: 0 } : {}),
    origin: { taskId: 't', integrity: 'trusted', source: level === 'C' ? 'dreamer' : 'R7' },
  };
}

main(process.argv.slice(2)).catch((error: unknown) => {
  writeSync(2, `${String(error)}\n`);
  process.exit(1);
});
