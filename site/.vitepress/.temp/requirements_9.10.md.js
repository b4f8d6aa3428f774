import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.10","description":"","frontmatter":{"title":"Requirement 9.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.10.md","filePath":"site/pages/requirements/9.10.md"}');
const _sfc_main = { name: "requirements/9.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-910" tabindex="-1">Requirement 9.10 <a class="header-anchor" href="#requirement-910" aria-label="Permalink to &quot;Requirement 9.10&quot;">​</a></h1><blockquote><p>A partial payment MUST NOT prevent the completion that follows it from being fulfilled.</p></blockquote><p>MUST · Source: Interface 3 and Interface 6</p><p><strong>Prevents:</strong> a customer who paid in two steps gets nothing.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/completion-after-partial"><code>completion-after-partial</code></a></td><td>A customer who paid in two steps gets nothing.</td></tr><tr><td><a href="/hookproof/cases/effects/completion-a-day-after-partial"><code>completion-a-day-after-partial</code></a></td><td>A customer whose gift card paid a part gets nothing when the order completes by itself after a day.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_10 as default
};
