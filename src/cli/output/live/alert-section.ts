/** Alerts: the gravest first, each with what to do. */
import type { Alert, Severity } from '../../../scans/monitor/alert.ts';
import type { Look } from '../look.ts';
import { wrap } from '../text-width.ts';
import { visible } from '../visible.ts';
import { type Line, type Style, span } from './line.ts';

const STYLES: Readonly<Record<Severity, Style>> = {
  critical: ['bold', 'red'],
  warning: 'yellow',
  notice: 'cyan',
};

/** All of them, wrapped. */
export function alertSection(alerts: readonly Alert[], width: number, look: Look): Line[] {
  return alerts.flatMap((alert) => alertLines(alert, width, look));
}

/** As many as fit into `most` lines, whole ones only; for the others one line says where they are. */
export function fewAlerts(alerts: readonly Alert[], most: number, width: number, look: Look): Line[] {
  const lines: Line[] = [];
  for (const [index, alert] of alerts.entries()) {
    const next = alertLines(alert, width, look);
    const rest = alerts.length - index;
    const last = rest === 1;
    if (lines.length + next.length + (last ? 0 : 1) > most) {
      const more = `${rest} ${index > 0 ? 'more ' : ''}${rest === 1 ? 'alert' : 'alerts'}, gravest: ${alert.id} (--alerts shows all)`;
      return most > 0 ? [...lines.slice(0, most - 1), [span(more, STYLES[alert.severity])]] : [];
    }
    lines.push(...next);
  }
  return lines;
}

function alertLines(alert: Alert, width: number, look: Look): Line[] {
  const mark = look.unicode && alert.severity !== 'notice' ? '▲' : '!';
  const style = STYLES[alert.severity];
  const what = wrap(visible(`${alert.severity}: ${alert.what}`), width - 2);
  const advice = wrap(visible(alert.advice), width - 2);
  return [
    ...what.map((text, i): Line => [span(i === 0 ? `${mark} ` : '  ', style), span(text, style)]),
    ...advice.map((text): Line => [span(`  ${text}`, 'gray')]),
  ];
}
