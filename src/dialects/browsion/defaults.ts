// What the dialect browsion sets unless a config file, a variable or a flag says otherwise.

/** Requests need no API key unless the config has one; without it, only this machine reaches the API. */
export const DEFAULTS = { port: 38_472, auth: false };
