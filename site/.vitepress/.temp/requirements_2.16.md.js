import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 2.16","description":"","frontmatter":{"title":"Requirement 2.16","prev":false,"next":false},"headers":[],"relativePath":"requirements/2.16.md","filePath":"site/pages/requirements/2.16.md"}');
const _sfc_main = { name: "requirements/2.16.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-216" tabindex="-1">Requirement 2.16 <a class="header-anchor" href="#requirement-216" aria-label="Permalink to &quot;Requirement 2.16&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a delivery whose <code>t</code> is a number too large to be a valid timestamp, with status 400 or 401, even if the signature covers that exact text.</p></blockquote><p>MUST · Source: Interface 5.3, rule 4: it differs from the clock by more than the window</p><p><strong>Prevents:</strong> anyone crashes the receiver with a number, or a time that overflows counts as now.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/signature-header/t-of-400-digits"><code>t-of-400-digits</code></a></td><td>The receiver crashes on the number, which anyone can send, or accepts the delivery because the number overflows, which only the holder of the secret can cause.</td></tr><tr><td><a href="/hookproof/cases/signature-header/t-wrapped-at-64-bits"><code>t-wrapped-at-64-bits</code></a></td><td>The receiver crashes on the number, which anyone can send, or accepts the delivery because the number overflows, which only the holder of the secret can cause.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/2.16.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _2_16 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _2_16 as default
};
