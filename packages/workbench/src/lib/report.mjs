/**
 * Ends a check: prints what it looked at, or its problems, and sets the exit code.
 * A check that looked at nothing fails, as it proves nothing.
 */
export function report(name, looked, unit, problems) {
  for (const problem of problems) console.error(`${name}: ${problem}`);
  if (looked === 0) console.error(`${name}: looked at no ${unit}: this check is blind`);
  const failed = problems.length > 0 || looked === 0;
  console.log(
    failed ? `${name}: failed (${problems.length} problems)` : `${name}: ${looked} ${unit} fine`,
  );
  process.exitCode = failed ? 1 : 0;
}
