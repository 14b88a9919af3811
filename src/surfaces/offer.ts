// The offer: what all protocol servers of one process share, however a client reaches them.
import type { Call, Result } from '../call/call.ts';
import type { Toolset } from './toolset.ts';

export interface Offer extends Toolset {
  version: string;
  run(call: Call): Promise<Result>;
}
