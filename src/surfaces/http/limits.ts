// The limits of the HTTP server against slow, many, large and forgetful senders. Times are in ms.
export const LIMITS = {
  /** How long a sender may take for the headers, and for all of its request; how often that is checked. */
  headersMs: 10_000,
  requestMs: 30_000,
  checkMs: 1_000,
  connections: 512,
  /** How long a connection may stay open without a request. */
  keepMs: 60_000,
  /** The longest body of a request. */
  bodyBytes: 4 * 1024 * 1024,
  /** Requests under way; of one caller, so that nobody takes every place. */
  messages: 128,
  messagesPerCaller: 64,
  /** Calls that run at once, also of clients that are gone. */
  calls: 256,
  /** Streams that wait for changes. */
  subscriptions: 32,
  /** Protocol sessions; when one ends without a request or an open stream, and when it only listens. */
  sessions: 256,
  sessionsPerCaller: 64,
  idle: 30 * 60_000,
  listening: 12 * 3_600_000,
  /** A client that lost its stream opens it again, or sends something, within this time, unless it has gone. */
  returnMs: 5_000,
  /** How often a stream without events sends a comment: proxies close silent ones. */
  aliveMs: 15_000,
  /** A client that reads nothing for so long, or for which so many bytes wait, is given up. */
  stalledMs: 60_000,
  unreadBytes: 64 * 1024 * 1024,
  /** Refusals of one kind are written once per this time, with their count at its end; kinds that are told apart meanwhile. */
  refusalsMs: 60_000,
  refusalKinds: 100,
};

export type HttpLimits = typeof LIMITS;
