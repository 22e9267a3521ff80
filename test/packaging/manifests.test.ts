import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settings } from '../../src/config/settings.js'

/** What is deployed names settings, ports and secrets that there are, and holds no secret of its own. */

const read = (path: string) => readFileSync(new URL(`../../packaging/${path}`, import.meta.url), 'utf8')

interface Env {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}
interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly Env[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[]
  readonly securityContext: object
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } }
}
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector: { readonly [label: string]: unknown }
    readonly ports?: readonly { readonly name: string; readonly targetPort: string }[]
    readonly rules?: readonly { readonly http: { readonly paths: readonly IngressPath[] } }[]
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly automountServiceAccountToken: boolean
        readonly securityContext: object
        readonly containers: readonly [Container]
        readonly volumes: readonly {
          readonly name: string
          readonly emptyDir?: object
          readonly secret?: SecretVolume
        }[]
      }
    }
  }
  readonly stringData?: Readonly<Record<string, string>>
}
interface SecretVolume {
  readonly secretName: string
  readonly items: readonly { readonly key: string; readonly path: string }[]
}
interface IngressPath {
  readonly path: string
  readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } }
}

function manifests(name: string): readonly Manifest[] {
  return parseAllDocuments(read(`kubernetes/${name}.yaml`)).map(one => {
    expect(one.errors).toEqual([])
    return one.toJS() as Manifest
  })
}

const all = ['earshot', 'secret.example', 'ingress.example'].flatMap(manifests)
const of = (kind: string) => all.filter(one => one.kind === kind)
const [deployment] = of('Deployment') as [Manifest]
const { template } = deployment.spec
const [container] = template.spec.containers
const [secret] = of('Secret') as [Manifest]
const variables = new Set(Object.values(settings).map(({ variable }) => variable))

describe('for Kubernetes', () => {
  test('there is what a process needs, and nothing else', () => {
    expect(all.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
      'apps/v1 Deployment earshot',
      'v1 Service earshot',
      'v1 Service earshot-mcp',
      'policy/v1 PodDisruptionBudget earshot',
      'v1 Secret earshot',
      'networking.k8s.io/v1 Ingress earshot',
    ])
  })

  test('settings are settings that there are, and secrets come by reference', () => {
    for (const { name, valueFrom } of container.env) {
      expect(variables).toContain(name)
      if (valueFrom === undefined) continue
      expect(valueFrom.secretKeyRef.name).toBe(secret.metadata.name)
      expect(secret.stringData).toHaveProperty([valueFrom.secretKeyRef.key])
    }
    for (const text of Object.values(secret.stringData ?? {})) expect(text).toContain('CHANGE')
    const written = container.env.filter(({ value }) => value !== undefined).map(({ name }) => name)
    expect(written).not.toContain('EARSHOT_STORE_URL')
    expect(written).not.toContain('EARSHOT_SECRET')
  })

  test('the root of secrets is a mounted file, which its setting names', () => {
    const file = container.env.find(({ name }) => name === 'EARSHOT_SECRET_FILE')?.value
    const volume = template.spec.volumes.find(one => one.secret !== undefined)
    const mount = container.volumeMounts.find(({ name }) => name === volume?.name)
    const [item] = volume?.secret?.items ?? []
    expect(volume?.secret?.secretName).toBe(secret.metadata.name)
    expect(secret.stringData).toHaveProperty([item?.key ?? ''])
    expect({ file, readOnly: mount?.readOnly }).toEqual({ file: `${mount?.mountPath}/${item?.path}`, readOnly: true })
  })

  test('who is selected is there, and ports lead to ports', () => {
    const labels = template.metadata.labels
    for (const { spec } of of('Service')) {
      expect(labels).toMatchObject(spec.selector)
      for (const { targetPort } of spec.ports ?? [])
        expect(container.ports.map(({ name }) => name)).toContain(targetPort)
    }
    for (const { spec } of [deployment, ...of('PodDisruptionBudget')]) {
      expect(labels).toMatchObject(spec.selector['matchLabels'] as object)
    }
    const served = of('Service').flatMap(({ metadata, spec }) =>
      spec.ports?.map(({ name }) => `${metadata.name} ${name}`),
    )
    for (const { backend } of of('Ingress')[0]?.spec.rules?.flatMap(({ http }) => http.paths) ?? []) {
      expect(served).toContain(`${backend.service.name} ${backend.service.port.name}`)
    }
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const
    expect(probes.map(name => container[name]?.httpGet)).toMatchObject([
      { path: '/health', port: 'api' },
      { path: '/health', port: 'api' },
      { path: '/ready', port: 'api' },
    ])
  })

  test('it may do nothing but its work', () => {
    expect(template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    // What the image says: the user, the ports, and the only directory that is written to.
    const image = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
    expect(image).toContain('USER node')
    expect(/^EXPOSE (.*)$/m.exec(image)?.[1]).toBe(container.ports.map(port => port.containerPort).join(' '))
    const data = /EARSHOT_DATA_DIR=(\S+)/.exec(image)?.[1]
    expect(container.volumeMounts.find(({ readOnly }) => readOnly !== true)?.mountPath).toBe(data)
  })

  test('the data directory is one that the program makes itself: the volume it lies in is root’s', () => {
    const volume = template.spec.volumes.find(({ emptyDir }) => emptyDir !== undefined)
    const mount = container.volumeMounts.find(({ name }) => name === volume?.name)
    const data = container.env.find(({ name }) => name === 'EARSHOT_DATA_DIR')?.value
    expect(data).toBe(`${mount?.mountPath}/store`)
  })
})

describe('for Compose', () => {
  interface Service {
    readonly environment?: Readonly<Record<string, string>>
    readonly secrets?: readonly string[]
    readonly networks: readonly string[]
    readonly volumes?: readonly string[]
    readonly tmpfs?: readonly string[]
    readonly depends_on?: readonly string[] | object
    readonly [name: string]: unknown
  }
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly secrets: object
    readonly networks: object
    readonly volumes: object
  }
  const { earshot } = compose.services as { earshot: Service }

  test('settings, networks, volumes, secrets and services that are named are there', () => {
    for (const name of Object.keys(earshot.environment ?? {})) expect(variables).toContain(name)
    for (const { networks, secrets = [], volumes = [], depends_on: needs = [] } of Object.values(compose.services)) {
      for (const name of networks) expect(compose.networks).toHaveProperty(name)
      for (const name of secrets) expect(compose.secrets).toHaveProperty(name)
      for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(':')[0] ?? '')
      for (const name of Array.isArray(needs) ? needs : Object.keys(needs))
        expect(compose.services).toHaveProperty(name)
    }
  })

  test('three processes keep nothing and may do nothing but their work, and no password stands in it', () => {
    expect(earshot).toMatchObject({
      deploy: { replicas: 3 },
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(earshot.volumes).toBeUndefined()
    expect(earshot.environment?.['EARSHOT_STORE_URL']).toContain('earshot:${STORE_PASSWORD}@')
  })

  test('a tmpfs is a path with its options, in one', () => {
    const mounts = Object.values(compose.services).flatMap(({ tmpfs = [] }) => tmpfs)
    expect(mounts).toHaveLength(1)
    for (const mount of mounts) expect(mount).toMatch(/^\/[^:,]+:mode=0700,uid=1000$/)
  })
})
