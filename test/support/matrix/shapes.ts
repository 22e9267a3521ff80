import type { AccessScope } from '../../../src/access/caller.js'
import { AGENTS } from './world.js'

/** A key and what the specification lets it hear. */
export interface Shape {
  readonly name: string
  readonly scope: AccessScope
  /** Agents of the project whose calls it hears. */
  readonly hears: readonly string[]
  /** Whether it may call role-gated tools. */
  readonly admin: boolean
  /** How it is minted where it names teams: what it hears is whom they have. */
  readonly teams?: Readonly<Record<string, readonly string[] | 'removed'>>
}

const shape = (
  name: string,
  hears: readonly string[],
  scope: Partial<AccessScope>,
  more: Pick<Shape, 'teams'> = {},
): Shape => {
  const none: AccessScope = {
    is_supervisor: false,
    roles: [],
    allowed_agents: [],
    require_mapping: false,
    text: 'full',
  }
  const full = { ...none, ...scope }
  return {
    name,
    ...more,
    scope: full,
    hears,
    admin: full.roles.some(role => role === 'Admin' || role === 'SuperAdmin'),
  }
}

/** The table "Key shapes" of the specification, and the custom keys that its rules are about. */
export const shapes: readonly Shape[] = [
  shape('admin', AGENTS, { is_supervisor: true, roles: ['Admin'] }),
  shape('supervisor', ['Ana', 'Ben'], { roles: ['Supervisor'], allowed_agents: ['Ana', 'Ben'], require_mapping: true }),
  shape('single agent', ['Ana'], { allowed_agents: ['Ana'], require_mapping: true }),
  shape('custom: full project without a role', AGENTS, {}),
  shape('custom: SuperAdmin of one agent', ['Ben'], { roles: ['SuperAdmin'], allowed_agents: ['Ben'] }),
  shape('custom: is_supervisor with a list', ['Cleo'], { is_supervisor: true, allowed_agents: ['Cleo'] }),
  shape('custom: must be mapped and is not', [], { require_mapping: true }),
  shape('custom: must be mapped and is not, with every other right', [], {
    is_supervisor: true,
    roles: ['Admin', 'SuperAdmin', 'Supervisor'],
    require_mapping: true,
  }),
  shape(
    'a team',
    ['Ana', 'Ben'],
    { allowed_agents: ['Ana', 'Ben'], require_mapping: true },
    { teams: { north: ['Ana', 'Ben'] } },
  ),
  shape('a team that was removed', [], { roles: ['Admin'], require_mapping: true }, { teams: { gone: 'removed' } }),
  shape('custom: an agent who is not there', [], { roles: ['Admin'], allowed_agents: ['Nobody'] }),
  shape('custom: an agent of the other project', [], { roles: ['Admin'], allowed_agents: ['Stranger'] }),
]
