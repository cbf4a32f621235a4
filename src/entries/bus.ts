/** The way between roles: the in-process bus and the roles' ports. */
export { assertEnvelope, createBus, type BusOptions } from '../bus/create-bus.js';
export { rolePort } from '../bus/role-port.js';
export type { Bus, BusFilter, BusObserver, BusReport, BusTap, Draft, RolePort } from '../contracts/bus.js';
