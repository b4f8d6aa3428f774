import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.5","description":"","frontmatter":{"title":"Requirement 5.5","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.5.md","filePath":"site/pages/requirements/5.5.md"}');
const _sfc_main = { name: "requirements/5.5.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-55" tabindex="-1">Requirement 5.5 <a class="header-anchor" href="#requirement-55" aria-label="Permalink to &quot;Requirement 5.5&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a signature that does not cover <code>t</code>, a dot and the body in that order, with status 401.</p></blockquote><p>MUST · Source: Interface 5.3, rules 3 and 6</p><p><strong>Prevents:</strong> a signature counts for another time or another body.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/refusals/body-alone"><code>body-alone</code></a></td><td>The signature does not bind the time to the body. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/without-the-dot"><code>without-the-dot</code></a></td><td>Digits can move between the time and the body without breaking the signature. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/body-before-t"><code>body-before-t</code></a></td><td>The signature does not bind the time to the body. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/t-alone"><code>t-alone</code></a></td><td>The body is not verified, because the receiver hashes an empty one. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/over-utf-16"><code>over-utf-16</code></a></td><td>The receiver verifies text derived from the body instead of its bytes. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr><tr><td><a href="/hookproof/cases/refusals/over-base64"><code>over-base64</code></a></td><td>The receiver verifies text derived from the body instead of its bytes. Only the holder of the secret can sign such a delivery, so nobody else can use this.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.5.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_5 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_5 as default
};
