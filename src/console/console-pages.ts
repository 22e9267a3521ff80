/**
 * The addresses of the console's pages: whatever else is asked for is not there, and answered as a program is answered. The
 * console's router knows the same ones (a test holds them together).
 */
export const CONSOLE_PAGES = [
  '/',
  '/sign-in',
  '/calls',
  '/calls/:session_id',
  '/compare',
  '/agents',
  '/agents/:agent_name',
  '/changes',
  '/explore',
  '/import',
  '/rubric',
  '/settings',
  '/key',
] as const
