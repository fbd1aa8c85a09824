import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';

const READY_WITHIN_MS = 2_000;

export interface HealthOptions {
  /** Resolves if the storage answers. */
  readonly checkStorage: () => Promise<void>;
  readonly isDraining: () => boolean;
}

/**
 * The health routes. `/healthz` answers 200 while the process runs. `/readyz` answers 200 if the process accepts
 * requests and the storage answers, and 503 otherwise.
 */
export const createHealthRoutes =
  ({ checkStorage, isDraining }: HealthOptions): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return next();
    ctx.set('Cache-Control', 'no-store');
    const reason = ctx.path === '/readyz' ? await notReady(checkStorage, isDraining) : undefined;
    ctx.status = reason ? 503 : 200;
    ctx.body = reason ? { ok: false, reason } : { ok: true };
  };

async function notReady(checkStorage: () => Promise<void>, isDraining: () => boolean): Promise<string | undefined> {
  if (isDraining()) return 'draining';
  const answered = new AbortController();
  const late = sleep(READY_WITHIN_MS, 'storage', answered).catch(() => undefined);
  // A storage of the embedding application may also throw at once.
  const check = async () => checkStorage();
  const checked = check().then(
    () => undefined,
    () => 'storage',
  );
  return await Promise.race([checked, late]).finally(() => answered.abort());
}
