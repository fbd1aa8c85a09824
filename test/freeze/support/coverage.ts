import { type Profiler, Session } from 'node:inspector/promises';

/** How much of the packages a journey runs. */
export interface Journey {
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
}

/** Matches the function with which the loader of the tests reads an export. It is not in the source. */
const READS_EXPORT = /^\(\) => \{ try \{ return \S+ \} catch/;
const SOURCE = /\/packages\/[a-z-]+\/src\//;

/** Counts the files and functions of the packages that run, and their calls. */
export async function openCoverage(): Promise<{ count(run: () => Promise<unknown>): Promise<Journey>; close(): void }> {
  const session = new Session();
  session.connect();
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const callsIn = async ({ scriptId, functions }: Profiler.ScriptCoverage): Promise<number[]> => {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    return functions.flatMap(({ ranges: [range] }) => {
      const isCalled = range && range.count > 0;
      return isCalled && !READS_EXPORT.test(scriptSource.slice(range.startOffset, range.endOffset))
        ? [range.count]
        : [];
    });
  };
  return {
    async count(run) {
      await session.post('Profiler.takePreciseCoverage');
      await run();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const counted = await Promise.all(result.filter(({ url }) => SOURCE.test(url)).map(callsIn));
      const files = counted.filter((calls) => calls.length > 0);
      const calls = files.flat();
      return { files: files.length, functions: calls.length, calls: calls.reduce((sum, count) => sum + count, 0) };
    },
    close: () => session.disconnect(),
  };
}
