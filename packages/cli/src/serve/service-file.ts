/** The program of a service. */
export interface ServiceProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly log: string;
}

export const unitName = 'trove.service';
export const agentLabel = 'dev.trove.server';

/** Returns the unit of a systemd user service. */
export function systemdUnit({ program, args, env, home }: ServiceProgram): string {
  const command = [program, ...args].map(quoteForSystemd).join(' ');
  const variables = Object.entries(env).map(
    ([name, value]) => `Environment=${quoteForSystemd(`${name}=${value}`)}`,
  );
  return `# Written by \`trove serve install\`. \`trove serve uninstall\` removes it.
[Unit]
Description=Trove
Documentation=man:trove(1)

[Service]
ExecStart=${command}
WorkingDirectory=${escapePercent(home)}
${variables.join('\n')}
Restart=on-failure
RestartSec=2
TimeoutStopSec=15
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`;
}

/** Returns the property list of a launchd agent. */
export function launchdPlist({ program, args, env, home, log }: ServiceProgram): string {
  const strings = [program, ...args].map((text) => `    <string>${escapeXml(text)}</string>`);
  const variables = Object.entries(env).map(
    ([name, value]) =>
      `    <key>${escapeXml(name)}</key>\n    <string>${escapeXml(value)}</string>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${agentLabel}</string>
  <key>ProgramArguments</key>
  <array>
${strings.join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('\n')}
  </dict>
  <key>WorkingDirectory</key>
  <string>${escapeXml(home)}</string>
  <key>StandardErrorPath</key>
  <string>${escapeXml(log)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>15</integer>
</dict>
</plist>
`;
}

/** systemd expands `%` and `$`, and unescapes backslashes in quotes. */
function quoteForSystemd(text: string): string {
  const escaped = escapePercent(text)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('$', '$$$$');
  return `"${escaped}"`;
}

function escapePercent(text: string): string {
  return text.replaceAll('%', '%%');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
