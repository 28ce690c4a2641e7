#pragma once

#include <string_view>

namespace convproof::campaign {

// The page's style: one column that fits a phone, wide tables scroll by themselves, light or dark
// as the reader's system is.
inline constexpr std::string_view page_style = R"css(
:root{color-scheme:light dark;--ink:#1b2230;--soft:#5b6577;--page:#f5f6f8;--card:#fff;--rule:#dfe3ea;
--good:#17703c;--good-soft:#e2f4e8;--bad:#b3261e;--bad-soft:#fbe6e4;--warn:#8a5a00;--warn-soft:#fdf0d5;
--heat:#2463c9;--c0:#2463c9;--c1:#c2410c;--c2:#17803d;--c3:#8b32c9;--c4:#0f7f8c;--c5:#a3386b}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#9aa5b8;--page:#12161d;--card:#1b212b;
--rule:#313a48;--good:#6fd694;--good-soft:#173626;--bad:#ff8f86;--bad-soft:#43201e;--warn:#f2c063;
--warn-soft:#3a2d11;--heat:#6ea3ff;--c0:#6ea3ff;--c1:#ff9d66;--c2:#6fd694;--c3:#c995f5;--c4:#5fd0dd;
--c5:#f08bb9}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main,header{max-width:70rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.25rem}
h1{margin:0;padding:.7rem 1rem;border-radius:.6rem;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
h1.good{background:var(--good-soft);color:var(--good)}
h1.bad{background:var(--bad-soft);color:var(--bad)}
h1.failed{background:var(--warn-soft);color:var(--warn)}
h2{margin:2rem 0 .6rem;font-size:1.2rem}
h3{margin:1.2rem 0 .5rem;font-size:1rem;overflow-wrap:anywhere}
p{margin:.4rem 0}
.soft{color:var(--soft)}
.figures{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;margin:.8rem 0 0;padding:0;list-style:none}
.figures b{font-size:1.1rem}
.card,.scroll,details{background:var(--card);border:1px solid var(--rule);border-radius:.6rem}
.card{padding:.8rem 1rem;margin:.8rem 0}
.card h3{margin:0 0 .4rem}
.scroll{overflow-x:auto;margin:.6rem 0}
.scroll.matrix{padding:.6rem}
a{color:var(--heat)}
details{padding:.5rem 1rem;margin:.6rem 0}
.card details,td details{border:0;padding:0;margin:0}
.rows td:nth-child(2){overflow-wrap:anywhere;min-width:7rem}
.rows th,.rows td{padding:.4rem .5rem}
.rows tr.row td{border-bottom:0;padding-bottom:0}
.rows th[colspan]{color:var(--ink);background:var(--page)}
summary{cursor:pointer}
code,pre{font:13px/1.45 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}
pre{margin:.4rem 0;padding:.5rem .7rem;background:var(--page);border-radius:.4rem}
pre.replay{user-select:all;-webkit-user-select:all}
button.copy{font:inherit;font-size:.85rem;padding:.3rem .9rem;min-height:2.2rem;border:1px solid var(--rule);
border-radius:.4rem;background:var(--card);color:var(--ink);cursor:pointer}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{padding:.4rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
th{font-weight:600;color:var(--soft);white-space:nowrap}
tr:last-child td{border-bottom:0}
@media(max-width:34rem){th,td{padding:.4rem .35rem}th{white-space:normal}}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.tag{display:inline-block;padding:0 .5rem;border-radius:1rem;font-size:.8rem;background:var(--page);
border:1px solid var(--rule);white-space:nowrap}
.tag.good{background:var(--good-soft);color:var(--good)}
.tag.bad{background:var(--bad-soft);color:var(--bad)}
.tag.warn{background:var(--warn-soft);color:var(--warn)}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:.8rem}
.plot{margin:0;padding:.6rem .8rem;background:var(--card);border:1px solid var(--rule);border-radius:.6rem}
figcaption{font-weight:600;font-size:.9rem;overflow-wrap:anywhere}
svg{display:block}
.plot svg{width:100%;height:auto}
.tick,.axis,.share{font:12px system-ui,sans-serif;fill:var(--soft);dominant-baseline:middle}
.share{text-anchor:middle;fill:var(--ink)}
.share.on{fill:var(--card)}
.grid{stroke:var(--rule)}
.heat{fill:var(--heat)}
.self{fill:var(--rule)}
.line{fill:none;stroke-width:2}
.c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.c4{stroke:var(--c4)}.c5{stroke:var(--c5)}
.keys{display:flex;flex-wrap:wrap;gap:.1rem .9rem;font-size:.8rem;color:var(--soft)}
.key::before{content:"";display:inline-block;width:.8rem;height:.2rem;margin-right:.3rem;vertical-align:middle;background:currentColor}
.key.c0::before{background:var(--c0)}.key.c1::before{background:var(--c1)}.key.c2::before{background:var(--c2)}
.key.c3::before{background:var(--c3)}.key.c4::before{background:var(--c4)}.key.c5::before{background:var(--c5)}
footer{height:2rem}
)css";

}  // namespace convproof::campaign
