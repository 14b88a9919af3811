// The form of every result as a schema: what clients are told, and what tests hold results against.
import { z } from 'zod';

export const RESULT = z.object({
  ok: z.boolean(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  invoked: z.object({ bin: z.string(), args: z.array(z.string()) }),
  stdout: z.string(),
  stderr: z.string(),
  parsedJson: z.unknown(),
  truncated: z.boolean(),
  savedOutputPath: z.string().optional(),
});
