// The options of browseros-mcp: its ports decide, and nothing else. No config file and no variable of Tabwright is read.
import { currentEnvironment } from '../../config/environment.ts';
import { merge } from '../../config/load.ts';
import type { Options } from '../../config/options.ts';
import { type HttpLimits, LIMITS } from '../http/listen.ts';
import type { Ports } from './arguments.ts';

/** Only this machine reaches it. */
export const HOST = '127.0.0.1';

export const cdpUrl = ({ cdpPort }: Ports): string => `http://${HOST}:${cdpPort}`;

/** No token tells clients apart, so what one caller may have open is for all of them. */
export const HTTP_LIMITS: HttpLimits = {
  ...LIMITS,
  messagesPerCaller: LIMITS.messages,
  sessionsPerCaller: LIMITS.sessions,
};

export const optionsFor = (ports: Ports): Options =>
  merge(
    [
      {
        dialect: 'devtools',
        cdpEndpoint: cdpUrl(ports),
        shareBrowser: true,
        // One for each protocol session, one for clients without, and those that are just ending.
        maxSessions: 2 * HTTP_LIMITS.sessions,
        // A selected page lasts as long as the protocol session; that has an end of its own.
        sessionIdle: HTTP_LIMITS.listening,
      },
    ],
    currentEnvironment(),
  );
