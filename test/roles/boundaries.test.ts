import { createBus, rolePort, type BusReport } from 'artoo/bus';
import { messageTypes, refuseToHear, refuseToSend, ROLE_CONTRACTS, type Envelope, type RoleId } from 'artoo/contracts';
import { expect, test } from 'vitest';
import { spec, Stage } from './alone.js';

const ROLES = Object.keys(ROLE_CONTRACTS) as RoleId[];

test.each(ROLES)('%s: publishing what its contract does not name throws ARTOO_BOUNDARY and is reported', (role) => {
  const reports: BusReport[] = [];
  const bus = createBus({ onReport: (report) => void reports.push(report) });
  const port = rolePort(bus, role);
  for (const type of messageTypes.filter((name) => refuseToSend(role, name) !== undefined)) {
    expect(() => port.publish({ type, taskId: 't1', payload: {} as never }), type).toThrowError(expect.objectContaining({ code: 'ARTOO_BOUNDARY' }));
    expect(reports.at(-1)).toMatchObject({ kind: 'boundary_violation', role, type });
  }
  expect(reports.length).toBeGreaterThan(5);
});

test.each(ROLES)('%s: subscribing to what its contract does not name throws ARTOO_BOUNDARY', (role) => {
  const port = rolePort(createBus(), role);
  let refused = 0;
  for (const type of messageTypes.filter((name) => refuseToHear(role, name) !== undefined)) {
    expect(() => port.subscribe(type, () => undefined), type).toThrowError(expect.objectContaining({ code: 'ARTOO_BOUNDARY' }));
    refused += 1;
  }
  expect(refused).toBeGreaterThan(5);
});

test('a role can\'t address who its contract does not name', () => {
  const port = rolePort(createBus(), 'R4b');
  expect(() => port.publish({ type: 'ReplanRequest', taskId: 't1', to: 'R2', payload: {} as never })).toThrowError(expect.objectContaining({ code: 'ARTOO_BOUNDARY' }));
  expect(() => port.publish({ type: 'ReplanRequest', taskId: 't1', to: ['R7', 'R2'], payload: {} as never })).toThrowError(expect.objectContaining({ code: 'ARTOO_BOUNDARY' }));
});

test('a message under a name that may not send it is heard by nobody and reported', async () => {
  const stage = new Stage();
  const heard: Envelope[] = [];
  stage.port('R2').subscribe('TaskSpec', (message) => void heard.push(message as Envelope));
  for (const from of ['R3', 'R4a', 'R7', 'user'] as const) {
    stage.bus.publish({ v: 1, id: `forged by ${from}`, type: 'TaskSpec', from, to: 'R2', taskId: 't1', at: 0, integrity: 'trusted', payload: spec });
  }
  await stage.settled();
  expect(heard).toHaveLength(0);
  expect(stage.bus.reports.filter(({ kind }) => kind === 'boundary_violation')).toHaveLength(4);
});

test('a message that comes twice is heard once, one in another role\'s inbox never', async () => {
  const stage = new Stage();
  const heard: string[] = [];
  stage.port('R2').subscribe('TaskSpec', ({ id }) => void heard.push(`R2 ${id}`));
  stage.port('R7').subscribe('TaskSpec', ({ id }) => void heard.push(`R7 ${id}`));
  const message = { v: 1, id: 'one', type: 'TaskSpec', from: 'R1', to: 'R2', taskId: 't1', at: 0, integrity: 'trusted', payload: spec } as const;
  stage.bus.publish(message);
  stage.bus.publish(message);
  await stage.settled();
  expect(heard).toEqual(['R2 one']);
});

test('only R2 may query memory, only R7 and the Dreamer may write to it, only R7 ends a run, and R6 speaks to the operator alone', () => {
  const who = (type: (typeof messageTypes)[number]): RoleId[] => ROLES.filter((role) => refuseToSend(role, type) === undefined);
  expect(who('MemoryQuery')).toEqual(['R2']);
  expect(who('MegramWrite').sort()).toEqual(['R7', 'dreamer']);
  expect(who('FinalResult')).toEqual(['R7']);
  expect(who('PlanDirective')).toEqual(['R7']);
  expect(messageTypes.filter((type) => refuseToSend('R6', type) === undefined)).toEqual(['AuditReport']);
});
