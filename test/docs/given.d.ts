// What fragments on the pages take for granted. A block that runs may use none of it.
declare const models: import('artoo').ArtooOptions['models'];
declare const tools: readonly import('artoo').Tool[];
declare const client: import('artoo').LLMClient;
declare const stock: import('artoo').Tool;
declare const clock: import('artoo').Clock;
declare const store: import('artoo/memory').ArtooMemory;
declare const distil: import('artoo/memory').Distil;
declare const anyAbstractLevel: import('artoo/memory').LevelDatabase;
declare const createMyBus: (options?: unknown) => import('artoo').Bus;
declare const createMyLedger: (options?: unknown) => import('artoo').Ledger;
declare const it: typeof import('vitest').it;

type Envelope = import('artoo/contracts').Envelope;
type MessageType = import('artoo/contracts').MessageType;
type RoleId = import('artoo/contracts').RoleId;
type BusFilter = import('artoo/contracts').BusFilter;
type BusObserver = import('artoo/contracts').BusObserver;
type BusReport = import('artoo/contracts').BusReport;
type BusTap = import('artoo/contracts').BusTap;
type LedgerEvent = import('artoo/contracts').LedgerEvent;
type LedgerLine = import('artoo/contracts').LedgerLine;
type LedgerTask = import('artoo/contracts').LedgerTask;
type LLMRequest = import('artoo/contracts').LLMRequest;
type LLMReply = import('artoo/contracts').LLMReply;
