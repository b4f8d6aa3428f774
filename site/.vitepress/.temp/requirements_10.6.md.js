import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.6","description":"","frontmatter":{"title":"Requirement 10.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.6.md","filePath":"site/pages/requirements/10.6.md"}');
const _sfc_main = { name: "requirements/10.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-106" tabindex="-1">Requirement 10.6 <a class="header-anchor" href="#requirement-106" aria-label="Permalink to &quot;Requirement 10.6&quot;">​</a></h1><blockquote><p>A receiver MUST remain able to accept deliveries after a signature header that is long or has many entries, regardless of how it answers that one.</p></blockquote><p>MUST · Source: Convention; the suite sends 8 KiB</p><p><strong>Prevents:</strong> anyone stops all payments with a long header.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/header-of-8-kib"><code>header-of-8-kib</code></a></td><td>One request with an unusual header, which anyone can send, takes the receiver down.</td></tr><tr><td><a href="/hookproof/cases/robustness/header-of-a-thousand-entries"><code>header-of-a-thousand-entries</code></a></td><td>One request with an unusual header, which anyone can send, takes the receiver down.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_6 as default
};
