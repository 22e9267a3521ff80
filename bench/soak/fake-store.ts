import { fakeServer } from '../../test/support/mongodb/fake-server.js'

// The store of soak.ts where no other is named: it outlives the processes that use it.
const { url } = await fakeServer({ keepsCommands: false })
process.send?.(url)
