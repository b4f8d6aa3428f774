import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.9","description":"","frontmatter":{"title":"Requirement 9.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.9.md","filePath":"site/pages/requirements/9.9.md"}');
const _sfc_main = { name: "requirements/9.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-99" tabindex="-1">Requirement 9.9 <a class="header-anchor" href="#requirement-99" aria-label="Permalink to &quot;Requirement 9.9&quot;">​</a></h1><blockquote><p>An unknown event MUST NOT have an effect.</p></blockquote><p>MUST · Source: Interface 6: only a completed payment is fulfilled, and only a refunded one reversed</p><p><strong>Prevents:</strong> an event that is not a payment is credited.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/unknown-event-has-no-effect"><code>unknown-event-has-no-effect</code></a></td><td>An event that the service adds later is treated as a payment.</td></tr><tr><td><a href="/hookproof/cases/effects/unknown-events-named-like-a-completion"><code>unknown-events-named-like-a-completion</code></a></td><td>An event that the service adds later is treated as a payment.</td></tr><tr><td><a href="/hookproof/cases/effects/unknown-events-named-like-a-refund"><code>unknown-events-named-like-a-refund</code></a></td><td>A payment is taken back although nobody refunded it.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_9 as default
};
