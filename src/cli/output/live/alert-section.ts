/** Alerts, most severe first, each with its advice. */
import type { Alert, Severity } from '../../../scans/monitor/alert.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { wrap } from '../text-width.ts';
import { visible } from '../visible.ts';
import { type StyledLine, span, type TextStyle } from './styled-line.ts';

const STYLES: Readonly<Record<Severity, TextStyle>> = {
  critical: ['bold', 'red'],
  warning: 'yellow',
  notice: 'cyan',
};

/** All of them, wrapped. */
export function alertSection(alerts: readonly Alert[], width: number, style: TerminalStyle): StyledLine[] {
  return alerts.flatMap((alert) => alertLines(alert, width, style));
}

/** As many whole alerts as fit into `max` lines; one more line counts the others. */
export function fewAlerts(
  alerts: readonly Alert[],
  max: number,
  width: number,
  style: TerminalStyle,
): StyledLine[] {
  const lines: StyledLine[] = [];
  for (const [index, alert] of alerts.entries()) {
    const next = alertLines(alert, width, style);
    const rest = alerts.length - index;
    const last = rest === 1;
    if (lines.length + next.length + (last ? 0 : 1) > max) {
      const more = `${rest} ${index > 0 ? 'more ' : ''}${rest === 1 ? 'alert' : 'alerts'}, most severe: ${alert.id} (--alerts shows all)`;
      return max > 0 ? [...lines.slice(0, max - 1), [span(more, STYLES[alert.severity])]] : [];
    }
    lines.push(...next);
  }
  return lines;
}

function alertLines(alert: Alert, width: number, terminalStyle: TerminalStyle): StyledLine[] {
  const mark = terminalStyle.unicode && alert.severity !== 'notice' ? '▲' : '!';
  const style = STYLES[alert.severity];
  const what = wrap(visible(`${alert.severity}: ${alert.what}`), width - 2);
  const advice = wrap(visible(alert.advice), width - 2);
  return [
    ...what.map((text, i): StyledLine => [span(i === 0 ? `${mark} ` : '  ', style), span(text, style)]),
    ...advice.map((text): StyledLine => [span(`  ${text}`, 'gray')]),
  ];
}
