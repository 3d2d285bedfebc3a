/**
 * The style sheet. Tiers differ in lightness as well as in hue, so they can be told apart with any colour vision and in
 * print. The Content Security Policy forbids style attributes, so widths are classes, one for each percent.
 */
export function widthClass(share: number): string {
  return `w${share <= 0 ? 0 : Math.max(1, Math.round(share * 100))}`;
}

const WIDTHS = Array.from({ length: 101 }, (_, n) => `.w${n}{flex-grow:${n}}`).join('');

const DARK = `--page:#12161c;--card:#1a2029;--ink:#e8ecf1;--soft:#9aa7b5;--line:#2b3440;--accent:#5cb8c4;--stripe:#161c24;
--critical:#d6336c;--critical-ink:#fff;--high:#f28a3c;--high-ink:#2a1000;--medium:#f0cf52;--medium-ink:#2a2000;
--low:#4f9bd0;--low-ink:#00131f;--minimal:#5b6875;--minimal-ink:#fff;--hatch:#0006;--warn:#3a2f10;--warn-line:#f0cf52;
--scanned:#3f9ca8;--unchanged:#2b5d66;--partial:#f0cf52;--skipped:#8995a3;--dead:#d6336c`;

export const STYLE = `:root{color-scheme:light dark;
--page:#f4f6f8;--card:#fff;--ink:#17202b;--soft:#5a6776;--line:#dde3e9;--accent:#0b6b78;--stripe:#f9fafb;
--critical:#8f0f47;--critical-ink:#fff;--high:#c84a00;--high-ink:#fff;--medium:#efc22e;--medium-ink:#2a2000;
--low:#8ec3e6;--low-ink:#04263b;--minimal:#d5dbe1;--minimal-ink:#27313b;--hatch:#ffffffa6;--warn:#fff7dc;--warn-line:#c99a00;
--scanned:#0b7a88;--unchanged:#8cc5cc;--partial:#c99a00;--skipped:#7a8592;--dead:#8f0f47}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:1180px;margin:0 auto;padding:32px 24px 8px}
h1{font-size:1.9rem;line-height:1.2;margin:0;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:0 0 12px}
code,.path{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.88em}
.path,code{overflow-wrap:anywhere}
small,.meta,.note,footer,.why{color:var(--soft)}
header{margin-bottom:24px}
.brand{margin:0 0 6px;font-weight:700;color:var(--accent);letter-spacing:.02em}
.brand span{font-weight:400;color:var(--soft)}
.meta{margin:6px 0 0}
.warning{margin:16px 0 0;padding:12px 16px;background:var(--warn);border-left:5px solid var(--warn-line);border-radius:6px}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:20px;margin-bottom:20px}
section p{margin:0 0 12px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:14px;padding:0;background:none;border:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:14px 18px}
.card p{margin:0;color:var(--soft);font-size:.88rem}
.card strong{display:block;font-size:1.75rem;line-height:1.3;font-variant-numeric:tabular-nums}
.card.bad strong{color:var(--high)}
.card.hatched{border-left:7px solid var(--partial)}
.bar{display:flex;height:22px;border-radius:6px;overflow:hidden;gap:2px;margin-bottom:12px}
.bar i{flex-basis:0;min-width:4px}
.bar i.w0{display:none}
.bar.thin{height:8px;margin:0;min-width:60px}
.plain{background:var(--accent)}
${WIDTHS}
.legend{display:flex;flex-wrap:wrap;gap:8px 22px;list-style:none;margin:0;padding:0;font-variant-numeric:tabular-nums}
.tier{display:inline-block;min-width:6.6em;padding:1px 8px;border-radius:5px;font-size:.74rem;font-weight:700;letter-spacing:.03em;text-align:center}
.CRITICAL{background:var(--critical);color:var(--critical-ink)}
.HIGH{background:var(--high);color:var(--high-ink)}
.MEDIUM{background:var(--medium);color:var(--medium-ink)}
.LOW{background:var(--low);color:var(--low-ink)}
.MINIMAL{background:var(--minimal);color:var(--minimal-ink)}
.scanned{background:var(--scanned)}
.unchanged{background:var(--unchanged)}
.partial,.skipped,.dead{background-image:repeating-linear-gradient(45deg,var(--hatch) 0 4px,transparent 4px 9px)}
.partial{background-color:var(--partial)}
.skipped{background-color:var(--skipped)}
.dead{background-color:var(--dead)}
.outcome{display:inline-flex;align-items:center;gap:9px}
.swatch{width:22px;height:15px;border-radius:3px}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th{text-align:left;font-size:.8rem;font-weight:600;color:var(--soft);white-space:nowrap}
th,td{padding:8px 14px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
th:last-child,td:last-child{padding-right:0}
tbody tr:last-child td{border-bottom:0}
tfoot td{font-weight:600;border-top:2px solid var(--line);border-bottom:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.date{white-space:nowrap;color:var(--soft)}
.gauge{width:15%;vertical-align:middle}
.chip{display:inline-block;margin:0 4px 3px 0;padding:0 8px;border:1px solid var(--line);border-radius:99px;background:var(--stripe);font-size:.85rem;white-space:nowrap}
.sample{margin-bottom:2px}
.sample span{color:var(--soft);margin-left:8px}
td small{display:block}
#findings{display:flex;flex-direction:column}
#findings .list{order:2}
.note{order:1}
.tools{display:none}
.live .tools{display:flex;flex-wrap:wrap;gap:10px 18px;align-items:center;position:sticky;top:0;z-index:1;margin:0 -20px 10px;padding:10px 20px;background:var(--card)}
.tools input,.tools select{font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:8px;padding:6px 10px;margin-left:6px}
.tools input{width:min(320px,60vw)}
.tools output{margin-left:auto;color:var(--soft);font-variant-numeric:tabular-nums}
:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
.objects td:nth-child(3),.findings td:nth-child(4){min-width:230px}
.folders td:nth-child(3){width:60%;min-width:160px}
.types td:last-child{min-width:260px}
.findings td:nth-child(3){min-width:120px}
.why{font-size:.88rem;min-width:140px}
tr[hidden]{display:none}
footer{max-width:1180px;margin:0 auto;padding:0 24px 40px;font-size:.85rem}
@media (max-width:640px){main{padding:18px 12px}section{padding:14px}.tools{margin:0 -14px 10px}.chip{white-space:normal}}
@media print{body{background:#fff;font-size:11px}main{max-width:none;padding:0}section,.card{border-color:#bbb;break-inside:auto}
.live .tools{display:none}tr,.card{break-inside:avoid}.bar,.tier,.swatch,.plain{print-color-adjust:exact;-webkit-print-color-adjust:exact}.scroll{overflow:visible}}
`;
