/** Where clients of the event stream post their messages; the stream's first event says so. */
export const SSE_MESSAGE_PATH = '/messages'

/** All that is at the tool server, and the methods each takes. */
export const PATHS: Readonly<Record<string, readonly string[]>> = {
  '/health': ['GET', 'HEAD'],
  '/ready': ['GET', 'HEAD'],
  '/mcp': ['GET', 'POST', 'DELETE'],
  '/sse': ['GET'],
  [SSE_MESSAGE_PATH]: ['POST'],
}
