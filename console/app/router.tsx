import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { readFilters } from '../screens/calls/filters.js'
import { NotFound } from './not-found.js'
import { Frame } from './frame.js'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

/** Named parameters of the address, as text: what they may be is the service's to say. */
function named<const Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [Key in Name]?: string } =>
    Object.fromEntries(
      names.flatMap(name => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])),
    ) as {
      [Key in Name]?: string
    }
}

/** The first screen; who comes by the demo's link is shown it too. */
const first = ['/', '/sign-in'].map(path =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => redirect({ to: '/calls', replace: true, throw: true }),
  }),
)

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('../screens/calls/calls-screen.js'), 'CallsScreen'),
})

const call = createRoute({
  getParentRoute: () => root,
  path: '/calls/$session_id',
  validateSearch: named('text'),
  component: lazyRouteComponent(() => import('../screens/call/call-screen.js'), 'CallScreen'),
})

const key = createRoute({
  getParentRoute: () => root,
  path: '/key',
  component: lazyRouteComponent(() => import('../screens/key/key-screen.js'), 'KeyScreen'),
})

/** The same addresses that the service serves the page at (src/console/console-pages.ts). */
export const router = createRouter({
  routeTree: root.addChildren([...first, calls, call, key]),
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
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
