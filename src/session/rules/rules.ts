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

  /** `policy` has been read from the file that the options name. */
  constructor(options: Pick<Options, 'policy' | 'rateLimit' | 'scripts' | 'blockScripts'>, policy?: Policy) {
    // A caller that forgets to read the file must not run without its rules.
    if (options.policy !== undefined && !policy)
      throw new Failure('internal', `The policy file ${options.policy} was not read.`);
    this.policy = policy ?? ALLOW_ALL;
    this.rates = new RateLimits(options.rateLimit);
    this.scripts = scriptRules(options.scripts, options.blockScripts);
  }
}
