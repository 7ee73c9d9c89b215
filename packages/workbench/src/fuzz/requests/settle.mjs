import { Violation } from '../findings.mjs';

const endingMs = 60_000;

/** Waits until no job is left, removes the sources that a round added, and restores the removed ones. */
export async function settleSources(api, world) {
  await allEnded(api);
  const kept = [world.steady, ...world.scratch].map((path) => `file://local${path}`);
  const isKept = (uri) => kept.includes(uri) || uri.startsWith(`file://local${world.marked}/`);
  const { connectors } = await api.get('/v1/status');
  for (const { root_uri: uri } of connectors) {
    if (!isKept(uri)) await api.remove(uri);
  }
  for (const target of world.scratch)
    await api.post('/v1/add', { target, config: {}, update: true });
  await allEnded(api);
}

async function allEnded(api) {
  for (const status of ['running', 'queued']) {
    for (const { id } of await api.get('/v1/jobs', { status, limit: 1000 })) {
      if ((await api.ended(id, endingMs)) !== null) continue;
      throw new Violation('job without an end', `a job is ${status} after ${endingMs / 1000} s`, {
        id,
      });
    }
  }
}
