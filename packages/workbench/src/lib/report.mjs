/**
 * Ends a check: prints the number of checked items or the problems, and sets the exit code. A check without any item
 * fails, because it proves nothing.
 */
export function report(name, looked, unit, problems) {
  for (const problem of problems) console.error(`${name}: ${problem}`);
  if (looked === 0) console.error(`${name}: checked no ${unit}, so this check is blind`);
  const failed = problems.length > 0 || looked === 0;
  console.log(
    failed ? `${name}: failed (${problems.length} problems)` : `${name}: ${looked} ${unit} fine`,
  );
  process.exitCode = failed ? 1 : 0;
}
