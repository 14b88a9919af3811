// What the dialect vision sets unless a config file, a variable or a flag says otherwise.

export const DEFAULTS = {
  allowUrls: ['^https://'],
  blockScripts: ['eval\\s*\\(', 'Function\\s*\\(', 'document\\.cookie', 'localStorage', 'sessionStorage'],
  port: 8081,
  // Its document limits the sessions of all clients together, and nothing else.
  maxSessionsPerCaller: 10_000,
};
