import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { currentSession } from '../client/session.js'
import { readFilters } from '../screens/calls/filters.js'
import { Broken } from './broken.js'
import { NotFound } from './not-found.js'
import { Frame } from './frame.js'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

/**
 * A screen, loaded when it is first gone to. One that can't be is told of where it would stand; only where the service answers, and has
 * other files by now, the page is loaded anew, once, by the router.
 */
const screen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    async () =>
      await load().catch(async (error: unknown) => {
        // Throws that it does not answer, where it does not.
        await currentSession()
        throw error
      }),
    name,
  )

/** Named parameters of the address, as text: what they may be is the service's to say. */
function named<const Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [Key in Name]?: string | undefined } =>
    Object.fromEntries(
      names.flatMap(name => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])),
    ) as {
      [Key in Name]?: string | undefined
    }
}

const today = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: screen(() => import('../screens/today/today-screen.js'), 'TodayScreen'),
})

/** The link of the demo; who comes here signed in is shown the first screen. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => redirect({ to: '/', replace: true, throw: true }),
})

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: readFilters,
  component: screen(() => import('../screens/calls/calls-screen.js'), 'CallsScreen'),
})

const call = createRoute({
  getParentRoute: () => root,
  path: '/calls/$session_id',
  validateSearch: named('text'),
  component: screen(() => import('../screens/call/call-screen.js'), 'CallScreen'),
})

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: named('a', 'b'),
  component: screen(() => import('../screens/compare/compare-screen.js'), 'CompareScreen'),
})

const importing = createRoute({
  getParentRoute: () => root,
  path: '/import',
  component: screen(() => import('../screens/import/import-screen.js'), 'ImportScreen'),
})

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  validateSearch: named('last', 'team', 'a', 'b'),
  component: screen(() => import('../screens/agents/agents-screen.js'), 'AgentsScreen'),
})

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agent_name',
  validateSearch: named('last'),
  component: screen(() => import('../screens/agents/agent-screen.js'), 'AgentScreen'),
})

const changes = createRoute({
  getParentRoute: () => root,
  path: '/changes',
  validateSearch: named('last', 'period', 'baseline', 'agent_name', 'team'),
  component: screen(() => import('../screens/changes/changes-screen.js'), 'ChangesScreen'),
})

const explore = createRoute({
  getParentRoute: () => root,
  path: '/explore',
  component: screen(() => import('../screens/explore/explore-screen.js'), 'ExploreScreen'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: named('part', 'approval'),
  component: screen(() => import('../screens/settings/settings-screen.js'), 'SettingsScreen'),
})

const rubric = createRoute({
  getParentRoute: () => root,
  path: '/rubric',
  component: screen(() => import('../screens/rubric/rubric-screen.js'), 'RubricScreen'),
})

const key = createRoute({
  getParentRoute: () => root,
  path: '/key',
  component: screen(() => import('../screens/key/key-screen.js'), 'KeyScreen'),
})

/** The same addresses that the service serves the page at (src/console/console-pages.ts). */
export const router = createRouter({
  routeTree: root.addChildren([
    today,
    signIn,
    calls,
    call,
    compare,
    agents,
    agent,
    changes,
    explore,
    importing,
    rubric,
    settings,
    key,
  ]),
  // Addresses are read by people: what stands in them is text, not JSON.
  parseSearch: text => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: search => {
    const given = Object.entries(search).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    )
    return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
  },
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
})

// The router notes where a page stands only if it was scrolled since it was rendered. One that was loaded anew before its list was there
// would go back to where it stood before that.
router.subscribe('onRendered', () => queueMicrotask(() => document.dispatchEvent(new Event('scroll'))))

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
