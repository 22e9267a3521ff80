import { Link } from '@tanstack/react-router'
import type { Links } from '../look/links.js'
import { readFilters } from '../screens/calls/filters.js'

/** Links of screens lead to other screens. */
export const links: Links = {
  Calls: ({ filters, className, children }) => (
    <Link to="/calls" search={readFilters(filters)} {...(className !== undefined && { className })}>
      {children}
    </Link>
  ),
  Agent: ({ name }) => (
    <Link to="/agents/$agent_name" params={{ agent_name: name }}>
      {name}
    </Link>
  ),
}
