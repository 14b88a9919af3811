// The rules of one process: everything that may refuse a call before it runs.
import type { Options } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import { ALLOW_ALL, type Policy } from '../../policy/decide.ts';
import { type ScriptRules, scriptRules } from '../../policy/scripts.ts';
import { Approvals } from './approvals.ts';
import { RateLimits } from './rate.ts';

export class Rules {
  readonly policy: Policy;
  readonly rates: RateLimits;
  readonly scripts: ScriptRules;
  readonly approvals = new Approvals();

  /** `policy` is what the file that the options name says. */
  constructor(options: Pick<Options, 'policy' | 'rateLimit' | 'scripts' | 'blockScripts'>, policy?: Policy) {
    // Whoever starts a server must not forget to read the file.
    if (options.policy !== undefined && !policy)
      throw new Failure('internal', `The policy file ${options.policy} was not read.`);
    this.policy = policy ?? ALLOW_ALL;
    this.rates = new RateLimits(options.rateLimit);
    this.scripts = scriptRules(options.scripts, options.blockScripts);
  }
}
