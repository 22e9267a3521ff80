import { z } from 'zod'

/** How the process stands. */
export const healthAnswer = z.strictObject({
  status: z.string().meta({ description: 'ok when the process is healthy' }),
  server: z.string(),
  tools: z.int().meta({ description: 'Registered tools' }),
  auth_cache_size: z.int().meta({ description: 'Keys in the in-memory cache' }),
})
