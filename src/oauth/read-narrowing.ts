import type { Narrowing } from '../store/oauth-store.js'
import { type Heard, LESS_TEXT } from './pages.js'

/**
 * What somebody leaves out for a client, as the form of the page says. Only what was offered can be chosen: a form that names
 * anything else was not sent by that page, or what the key hears has changed since.
 */
export function readNarrowing(form: URLSearchParams, { offered, text: heard }: Heard): Narrowing | { fault: string } {
  const agents = [...new Set(form.getAll('agent'))]
  if (agents.some(name => !offered.includes(name)))
    return { fault: 'One of the agents is not among those that can be chosen here. Choose anew.' }
  const [text, ...more] = form.getAll('text')
  if (text === undefined || text === '') return agents.length === 0 ? {} : { agents }
  const least = LESS_TEXT[heard].find(one => one === text)
  if (least === undefined || more.length > 0)
    return { fault: 'The choice of what it sees of texts is none of those that are here. Choose anew.' }
  return { ...(agents.length > 0 && { agents }), text: least }
}
