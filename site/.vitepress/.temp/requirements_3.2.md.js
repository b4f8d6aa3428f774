import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 3.2","description":"","frontmatter":{"title":"Requirement 3.2","prev":false,"next":false},"headers":[],"relativePath":"requirements/3.2.md","filePath":"site/pages/requirements/3.2.md"}');
const _sfc_main = { name: "requirements/3.2.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-32" tabindex="-1">Requirement 3.2 <a class="header-anchor" href="#requirement-32" aria-label="Permalink to &quot;Requirement 3.2&quot;">​</a></h1><blockquote><p>A receiver MUST accept a valid delivery whose <code>t</code> is in the future by no more than the window.</p></blockquote><p>MUST · Source: Interface 5.3, rule 4: the absolute difference</p><p><strong>Prevents:</strong> a payment is refused because a clock is off.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/time-window/just-inside-the-future"><code>just-inside-the-future</code></a></td><td>Payments are refused when a clock is slightly off or a delivery is delayed.</td></tr><tr><td><a href="/hookproof/cases/time-window/a-second-ahead"><code>a-second-ahead</code></a></td><td>Payments are refused when a clock is slightly off or a delivery is delayed.</td></tr><tr><td><a href="/hookproof/cases/time-window/clock-advances"><code>clock-advances</code></a></td><td>The window stays where it was when the receiver started: five minutes later all payments are refused.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/3.2.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _3_2 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _3_2 as default
};
